/// The process on a host: takes commands, carries them out, says what it sees.
@NullMarked
package dev.uplift.agent;

import org.jspecify.annotations.NullMarked;
