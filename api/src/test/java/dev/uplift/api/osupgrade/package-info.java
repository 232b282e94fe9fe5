/// Tests of the OS upgrade. The comments of tests name the lines of the document that they show, as numbered in
/// `docs/decisions/0126-the-os-upgrade-is-a-view-on-a-policy.md`.
@NullMarked
package dev.uplift.api.osupgrade;

import org.jspecify.annotations.NullMarked;
