-- An import of the NPI registry has its staging table in its own session.
drop table registry_staging, registry_progress;
