/// The tables `tenant` and `tenant_stop`.
@NullMarked
package dev.uplift.store.tenant;

import org.jspecify.annotations.NullMarked;
