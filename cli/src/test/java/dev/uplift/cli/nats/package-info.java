/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.nats;

import org.jspecify.annotations.NullMarked;
