/// Tests of access to NATS, on a real server.
@NullMarked
package dev.uplift.services.enrolment;

import org.jspecify.annotations.NullMarked;
