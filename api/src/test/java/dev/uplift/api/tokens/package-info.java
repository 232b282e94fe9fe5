/// Tests of the revocation of bearer tokens.
@NullMarked
package dev.uplift.api.tokens;

import org.jspecify.annotations.NullMarked;
