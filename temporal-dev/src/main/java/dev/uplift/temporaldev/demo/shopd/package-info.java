/// What the demo upgrades: `shopd`, a real, small network service. It sells nothing.
///
/// One class, [Shopd], and nothing but the JDK beneath it: the demo packs that class into the
/// `shopd.jar` of each bundle at run time. It is not a part of Uplift, and knows nothing of it.
@NullMarked
package dev.uplift.temporaldev.demo.shopd;

import org.jspecify.annotations.NullMarked;
