/** Small tables with what real exports do to people. */
export const SALES = `region,product,date,units,price,sales
North,Widget,2024-01-05,10,9.99,99.9
South,Gadget,2024-01-20,5,24.50,122.5
East,Widget,2024-02-11,,9.99,
West,"Gizmo, large",2024-03-02,7,,300
North,Gadget,2024-03-15,3,24.50,73.5
South,Widget,2023-12-30,8,10.01,80.08
`;

export const UNTIDY = `name,amount
Ann,"1,234"
Bob,n/a
Cid,66
Dee,
`;

export const SEMICOLONS = `Stadt;Größe (m²);Preis\nKöln;1.234,5;10,50\nBonn;80,25;9,50\n"A;B";100,5;4\n`;

export const ODD_NAMES = `class,unit price,"say ""hi""",count,def\nA,1.5,10,7,x\nB,2.5,30,9,y\nA,3.5,20,1,z\n`;

export const TABS =
  '\ufeffid\tname\tscore\r\n1\tÅsa\t10\r\n2\t"Bo ""B""\nnext line"\t20\r\n\r\n3\tO\'Neil\t\r\n';

export const EMPLOYEES = `Name,Department,Salary,Hire Date,Age,City
Alice,Engineering,85000,2019-03-01,34,Berlin
Bob,Sales,52000,2020-07-15,45,Paris
Carla,Engineering,95000,2018-01-10,41,Berlin
Dan,HR,48000,2021-11-30,29,London
Eve,Sales,61000,2017-05-20,38,Paris
Finn,Engineering,,2022-02-14,26,London
`;
