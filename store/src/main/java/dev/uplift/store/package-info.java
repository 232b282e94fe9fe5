/// The database: opens, migrates and pools connections, runs transactions, and holds what all repositories share
/// (paging, cursors, errors). One package below it per group of tables.
///
/// Start at [Database]. Every call on a repository is one transaction or a part of one. Every row belongs to a tenant,
/// and every query names it, so no answer crosses from one tenant to another.
///
/// Rows hold the exact text that was sent or received; other modules know what it means. Rows are neither wire messages
/// nor payloads of a workflow and share nothing with them but ids and the enums of `fleet`. Depends on `fleet` and on
/// no other module of ours (`ArchitectureTest`). The same SQL runs on H2 and on PostgreSQL: every test of this module
/// runs on both.
@Configuration
@Requires(env = StoreBeans.ENVIRONMENT)
@NullMarked
package dev.uplift.store;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
