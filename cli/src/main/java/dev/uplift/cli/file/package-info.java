/// Files that commands read and write for the person who types: what they say when a file cannot be used, and that
/// secrets are for their owner alone.
@NullMarked
package dev.uplift.cli.file;

import org.jspecify.annotations.NullMarked;
