/// Revoked bearer tokens of people and programs. Start at [TokenRevocationRepository]. Those of hosts are in
/// `enrolment`.
@NullMarked
package dev.uplift.store.token;

import org.jspecify.annotations.NullMarked;
