/// One request to change or read something of a tenant: who asks, with which parameters, and
/// whether it is only to be checked.
///
/// A controller's method takes a [RequestContext]; by then its token, tenant and parameters are checked. What
/// changes something goes through [AuditedTransaction], so that it is audited, and undone where it was only to
/// be validated.
@NullMarked
package dev.uplift.api.request;

import org.jspecify.annotations.NullMarked;
