/// The table `tenant`.
@NullMarked
package dev.uplift.store.tenant;

import org.jspecify.annotations.NullMarked;
