/// The revocation of bearer tokens. Start at [TokenRevocationController].
@NullMarked
package dev.uplift.api.tokens;

import org.jspecify.annotations.NullMarked;
