@NullMarked
package dev.uplift.store.version;

import org.jspecify.annotations.NullMarked;
