/// The audit log, for people to read. Every change writes its own entry.
@NullMarked
package dev.uplift.api.audit;

import org.jspecify.annotations.NullMarked;
