-- Tokens and keys of one host are asked for with each enrolment, and for each host of a list. H2
-- plans a statement once, while the tables are empty: then it prefers an index that has nothing but
-- the tenant to one that has a third column, and reads all of the tenant each time.
DROP INDEX enrolment_token_of_host;
CREATE INDEX enrolment_token_of_host ON enrolment_token (tenant, host);
DROP INDEX host_credential_of_host;
CREATE INDEX host_credential_of_host ON host_credential (tenant, host);
