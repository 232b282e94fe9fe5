/// The audit log; append-only. Start at [AuditRepository].
@NullMarked
package dev.uplift.store.audit;

import org.jspecify.annotations.NullMarked;
