/// Standing rules about the version of a package: which policy decides for a device, and where the device is with it.
/// Pure: facts in, decision out.
///
/// Start at [Policy]; [PolicyPrecedence] decides which of several policies applies, [PolicyCheck] what it does about
/// one device.
@NullMarked
package dev.uplift.fleet.policy;

import org.jspecify.annotations.NullMarked;
