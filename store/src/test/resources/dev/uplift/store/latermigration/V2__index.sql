CREATE INDEX ${concurrently} audit_by_actor ON audit (tenant, actor);
