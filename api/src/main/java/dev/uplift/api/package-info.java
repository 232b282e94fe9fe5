/// The server: REST, page, security, and its main.
@NullMarked
package dev.uplift.api;

import org.jspecify.annotations.NullMarked;
