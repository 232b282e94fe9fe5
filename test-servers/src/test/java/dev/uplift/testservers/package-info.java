@NullMarked
package dev.uplift.testservers;

import org.jspecify.annotations.NullMarked;
