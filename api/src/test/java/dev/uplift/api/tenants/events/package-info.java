@NullMarked
package dev.uplift.api.tenants.events;

import org.jspecify.annotations.NullMarked;
