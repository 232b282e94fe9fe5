@NullMarked
package dev.uplift.api.policies;

import org.jspecify.annotations.NullMarked;
