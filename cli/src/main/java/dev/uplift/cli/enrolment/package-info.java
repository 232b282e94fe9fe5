/// Enrolment tokens for one host, for the rows of a CSV file, or for a numbered series of hosts.
@NullMarked
package dev.uplift.cli.enrolment;

import org.jspecify.annotations.NullMarked;
