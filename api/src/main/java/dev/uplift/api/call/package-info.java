/// One request to change or read something of a tenant: who asks, with which parameters, and
/// whether it is only to be checked.
///
/// A controller's method takes a [Call]; by then its token, tenant and parameters are checked. What
/// changes something goes through [Changes], so that it is audited, and undone where it was only to
/// be validated.
@NullMarked
package dev.uplift.api.call;

import org.jspecify.annotations.NullMarked;
