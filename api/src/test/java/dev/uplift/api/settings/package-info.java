/// Tests of the settings.
@NullMarked
package dev.uplift.api.settings;

import org.jspecify.annotations.NullMarked;
