/// Extends micronaut-openapi, which generates the OpenAPI document while `api` is compiled, by what holds for every
/// route: start at [DocumentConventions].
@NullMarked
package dev.uplift.openapi;

import org.jspecify.annotations.NullMarked;
