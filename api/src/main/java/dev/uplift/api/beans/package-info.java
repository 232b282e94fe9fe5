/// Micronaut factories: creates the repositories and services once and publishes them as beans;
/// starts the worker. Decides nothing. Start at [ServiceFactory].
@NullMarked
package dev.uplift.api.beans;

import org.jspecify.annotations.NullMarked;
