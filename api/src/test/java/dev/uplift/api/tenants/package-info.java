/// What tenants promise.
@NullMarked
package dev.uplift.api.tenants;

import org.jspecify.annotations.NullMarked;
