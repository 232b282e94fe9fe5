/// Tests of checks of an installation.
@NullMarked
package dev.uplift.services.diagnosis;

import org.jspecify.annotations.NullMarked;
