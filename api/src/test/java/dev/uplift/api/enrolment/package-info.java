/// Tests of the limits on requests to enrol.
@NullMarked
package dev.uplift.api.enrolment;

import org.jspecify.annotations.NullMarked;
