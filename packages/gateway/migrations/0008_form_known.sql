-- Also a replica that does not migrate must see that a later version has changed the tables.

grant select on migrations to sallyport_app;
