/// What the audit log records.
@NullMarked
package dev.uplift.api.audit;

import org.jspecify.annotations.NullMarked;
