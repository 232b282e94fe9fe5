/// Starts the roles of the process, and creates the beans that settings describe. Start at [RoleStarter].
@NullMarked
package dev.uplift.api.beans;

import org.jspecify.annotations.NullMarked;
