/// Tests of tenants.
@NullMarked
package dev.uplift.api.tenants;

import org.jspecify.annotations.NullMarked;
