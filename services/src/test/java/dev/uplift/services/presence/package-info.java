/// What is heard of hosts, against a real server.
@NullMarked
package dev.uplift.services.presence;

import org.jspecify.annotations.NullMarked;
