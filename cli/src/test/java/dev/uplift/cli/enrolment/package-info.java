/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.enrolment;

import org.jspecify.annotations.NullMarked;
