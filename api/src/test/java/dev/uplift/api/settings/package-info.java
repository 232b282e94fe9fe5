/// How the environment is read.
@NullMarked
package dev.uplift.api.settings;

import org.jspecify.annotations.NullMarked;
