import os
import sqlite3
from contextlib import closing
from urllib.parse import quote

from taskweaver.plugin import Plugin, register_plugin, test_plugin

HEADER = b"SQLite format 3\x00"
TABLES = """
select m.name as table_name, group_concat(c.name || ' ' || c.type, ', ') as columns
from sqlite_master m join pragma_table_info(m.name) c
where m.type in ('table', 'view') and m.name not like 'sqlite_%' group by m.name order by m.name
"""


@register_plugin
class SqlPullData(Plugin):
    def __call__(self, query: str, file: str = None):
        """Runs one query on a SQLite file, and gives its rows with a description."""
        path = file or self.config.get("sqlite_db_path") or self.only_file()
        if not is_sqlite(path):
            raise ValueError(f"{path} is not a SQLite file; there are: {', '.join(sqlite_files()) or 'none'}")
        wants_tables = query.strip().lower() == "tables"
        limit = int(self.config.get("max_rows") or 100_000)
        with closing(sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1", uri=True)) as connection:
            cursor = connection.execute(TABLES if wants_tables else query)
            if cursor.description is None:
                raise ValueError("The file can only be read: the query must be a SELECT")
            columns = [column[0] for column in cursor.description]
            rows = cursor.fetchmany(limit + 1)
        cut = len(rows) > limit
        rows = rows[:limit]
        description = f"{len(rows)} rows with the columns {', '.join(columns)} were pulled from {os.path.basename(path)}."
        if cut:
            description += f" There are more than {limit}: the rest was left out."
        return as_frame(rows, columns), description

    def only_file(self):
        found = sqlite_files()
        if len(found) == 1:
            return found[0]
        if not found:
            raise ValueError("There is no SQLite file in the working folder: ask for one to be uploaded")
        raise ValueError(f"There are several SQLite files, name one: {', '.join(found)}")


def is_sqlite(path):
    try:
        with open(path, "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except OSError:
        return False


def sqlite_files():
    return sorted(name for name in os.listdir(".") if os.path.isfile(name) and is_sqlite(name))


def as_frame(rows, columns):
    try:
        import pandas
    except ImportError:
        return [dict(zip(columns, row)) for row in rows]
    return pandas.DataFrame(rows, columns=columns)


def as_rows(frame):
    return frame.to_dict("records") if hasattr(frame, "to_dict") else frame


def shop():
    with closing(sqlite3.connect("shop.db")) as connection:
        connection.executescript(
            "drop table if exists orders; create table orders (city text, sales integer);"
            "insert into orders values ('Rome', 3), ('Oslo', 4), ('Rome', 5);"
        )


@test_plugin(name="a query", description="rows and a description of the only file")
def test_query(api_call):
    shop()
    df, description = api_call("select city, sum(sales) as total from orders group by city order by city")
    assert as_rows(df) == [{"city": "Oslo", "total": 4}, {"city": "Rome", "total": 8}], df
    assert description == "2 rows with the columns city, total were pulled from shop.db.", description
    tables, _ = api_call("tables", file="shop.db")
    assert as_rows(tables) == [{"table_name": "orders", "columns": "city TEXT, sales INTEGER"}], tables


@test_plugin(name="reading only", description="what would write is refused")
def test_write(api_call):
    shop()
    for query in ("delete from orders", "insert into orders values ('x', 1)", "drop table orders"):
        try:
            api_call(query)
        except (sqlite3.OperationalError, ValueError) as error:
            assert "read" in str(error), error
        else:
            raise AssertionError(f"{query} was run")


@test_plugin(name="another file", description="a file of another kind is refused by name")
def test_other(api_call):
    with open("notes.txt", "w") as file:
        file.write("no database")
    try:
        api_call("tables", file="notes.txt")
    except ValueError as error:
        assert "notes.txt is not a SQLite file" in str(error), error
    else:
        raise AssertionError("it was read")
