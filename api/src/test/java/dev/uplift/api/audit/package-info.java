/// Tests of the audit log.
@NullMarked
package dev.uplift.api.audit;

import org.jspecify.annotations.NullMarked;
