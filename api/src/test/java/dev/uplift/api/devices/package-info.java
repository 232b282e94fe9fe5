/// What devices promise to those who manage them.
@NullMarked
package dev.uplift.api.devices;

import org.jspecify.annotations.NullMarked;
