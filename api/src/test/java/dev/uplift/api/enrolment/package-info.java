/// How hosts join.
@NullMarked
package dev.uplift.api.enrolment;

import org.jspecify.annotations.NullMarked;
