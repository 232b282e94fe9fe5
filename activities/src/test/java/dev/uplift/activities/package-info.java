/// Tests of the activity implementations, against real servers. Tests play the hosts.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
