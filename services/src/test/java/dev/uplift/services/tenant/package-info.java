@NullMarked
package dev.uplift.services.tenant;

import org.jspecify.annotations.NullMarked;
