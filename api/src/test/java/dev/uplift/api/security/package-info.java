/// Tests of authentication: of its parts alone, and with a real issuer.
@NullMarked
package dev.uplift.api.security;

import org.jspecify.annotations.NullMarked;
