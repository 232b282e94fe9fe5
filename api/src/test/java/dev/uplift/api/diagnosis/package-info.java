/// Tests of the diagnosis of an installation.
@NullMarked
package dev.uplift.api.diagnosis;

import org.jspecify.annotations.NullMarked;
