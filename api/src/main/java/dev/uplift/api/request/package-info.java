/// One request: its context (caller, tenant, query parameters, validate only), preconditions by ETag, ids, idempotency
/// keys, pages, and the audited transaction that every change goes through.
///
/// A controller's method takes a [RequestContext]; by then token, tenant and parameters are checked. Changes go through
/// [AuditedTransaction], which records them and rolls back if the request is only to be validated.
@NullMarked
package dev.uplift.api.request;

import org.jspecify.annotations.NullMarked;
