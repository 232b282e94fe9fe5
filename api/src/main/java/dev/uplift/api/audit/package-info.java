/// Who did what, for people to read. It is written by whoever does something.
@NullMarked
package dev.uplift.api.audit;

import org.jspecify.annotations.NullMarked;
