package dev.uplift.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/// A `SELECT` whose conditions depend on what is asked, a page at a time.
public final class PagedQuery {
  private final StringBuilder sql;
  private final Map<String, Object> values = new LinkedHashMap<>();

  private final String order;

  /// @param order all columns of an index from its first one on, those that are given too: with
  ///   less H2 sorts all rows for each page
  /// @param sql up to and with the first condition
  public PagedQuery(String order, String sql) {
    this.order = order;
    this.sql = new StringBuilder(sql);
  }

  public PagedQuery bind(String name, Object value) {
    values.put(name, value);
    return this;
  }

  public PagedQuery and(String condition) {
    sql.append(" AND ").append(condition);
    return this;
  }

  /// `column = value`, if there is one.
  public PagedQuery andEquals(String column, Optional<String> value) {
    value.ifPresent(wanted -> and(column + " = :" + column).bind(column, wanted));
    return this;
  }

  /// One more than the page shows, to see whether there are more.
  public <T> List<T> fetch(Handle handle, PageRequest page, RowMapper<T> mapper) {
    Query query = handle.createQuery(sql + " ORDER BY " + order + " LIMIT :limit");
    values.forEach(query::bind);
    return query.bind("limit", page.limit() + 1).map(mapper).list();
  }
}
