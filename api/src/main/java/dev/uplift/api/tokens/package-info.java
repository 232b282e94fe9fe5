/// The tokens of scripts, and the revocation of all bearer tokens. Start at [ApiTokenController] and
/// [TokenRevocationController].
@NullMarked
package dev.uplift.api.tokens;

import org.jspecify.annotations.NullMarked;
