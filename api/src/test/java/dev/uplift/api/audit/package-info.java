/// What is kept of who did what.
@NullMarked
package dev.uplift.api.audit;

import org.jspecify.annotations.NullMarked;
