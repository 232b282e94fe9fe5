/// Options that several commands share: the server to call, the form of the output, dry runs, confirmation and
/// `If-Match`.
@NullMarked
package dev.uplift.cli.option;

import org.jspecify.annotations.NullMarked;
